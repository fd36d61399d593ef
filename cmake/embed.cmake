# cmake -DINPUT=file -DOUTPUT=file.c -DNAME=name -P embed.cmake: the bytes of a file as a C array and its size. Without
# the file the size is 0.
set(bytes "0")
set(size 0)
if(EXISTS ${INPUT})
  file(READ ${INPUT} bytes HEX)
  file(SIZE ${INPUT} size)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
endif()
file(WRITE ${OUTPUT} "#include <stddef.h>\n\nextern const unsigned char ${NAME}[];\n"
  "extern const size_t ${NAME}_size;\n\nconst unsigned char ${NAME}[] = {\n${bytes}\n};\n"
  "const size_t ${NAME}_size = ${size};\n")
