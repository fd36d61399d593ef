/* Feeds arbitrary bytes to the reader of model files: it must give a model or an error with a place.
 *
 *     cmake -B build/fuzz -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug \
 *           -DCMAKE_C_FLAGS="-O1 -g -fsanitize=fuzzer-no-link,address,undefined"
 *     cmake --build build/fuzz --target percuss-io
 *     clang -g -fsanitize=fuzzer,address,undefined -Iinclude -Ibuild/fuzz/include \
 *           fuzz/fuzz_model.c build/fuzz/libpercuss-io.a build/fuzz/libpercuss.a -lyaml \
 *           -lhdf5_serial -llapacke -lopenblas -lklu -lamd -lcolamd -lbtf -lcholmod \
 *           -lsuitesparseconfig -lm -o build/fuzz/fuzz_model
 *     mkdir -p build/fuzz/corpus && build/fuzz/fuzz_model -dict=fuzz/model.dict \
 *           build/fuzz/corpus models */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "percuss/model.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  pc_model* model = NULL;
  pc_error error = {0};
  pc_status status = pc_model_read_text((const char*)data, size, NULL, 0, &model, &error);
  if (status == PC_OK) {
    pc_model_destroy(model);
  } else if (model || status != PC_BAD_MODEL || error.line < 1 || error.column < 1 ||
             !error.text[0]) {
    abort();
  }
  return 0;
}
