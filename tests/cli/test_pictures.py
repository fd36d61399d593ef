"""Every picture in docs/images is current: made again by the commands its page tells, it is the same
but for noise. SVG: the same text, numbers to a pixel. PNG: fonts and lines may be smoothed otherwise
on another machine, so few pixels may differ, and none of the picture's areas as a whole."""
import pathlib
import re
import shlex
import struct
import subprocess
import unittest
import zlib

from program import DONE, PERCUSS, ProgramTest

IMAGES = pathlib.Path("docs/images")
FILES = re.compile(r"<!-- file: (\S+) -->\n```yaml\n(.*?)```", re.S)  # files that a page shows
PICTURES = {  # the page that tells how it is made, and the commands, as they stand there
    "dominoes.svg": ("../README.md", [
        "percuss run dominoes.yaml --out dominoes.h5",
        "percuss animate dominoes.h5 --frames 80 --no-arrows -o dominoes.svg"]),
    "slider-crank.svg": ("animation.md", [
        "percuss run slider-crank --dt 1e-5 --out crank.h5",
        "percuss animate crank.h5 -o crank.svg"]),
    "slider-crank.png": ("plotting.md", [
        "percuss run slider-crank --dt 1e-5 -o crank.h5",
        "percuss plot crank.h5 --y crank.spin,rod.spin --y corner1.gap,corner3.gap --size 720x500 "
        "-o slider-crank.png"]),
    "vibrating-table.png": ("sweep.md", [
        "percuss sweep vibrating-table --dt 5e-4 --until 30 --set gamma=1:2.2:400 "
        "--collect 'section(table.phase=0: ball, last=100)' -o bifurcation.csv",
        "percuss plot bifurcation.csv --y section --title 'Ball on a vibrating table: height at phase 0, e = 0.5' "
        "-o bifurcation.png"]),
}
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
PIXEL_NOISE = 1.0      # of a coordinate of an SVG
COLOUR_NOISE = 0.004   # mean difference of a PNG, of full white
AREA_NOISE = 0.05      # the same of a tile of 40 x 40 pixels


def pixels(path):
    """Rows of bytes of a PNG of 8 bits without interlacing, and the bytes of a pixel."""
    data, at, packed, palette = path.read_bytes(), 8, b"", None
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", body)
        elif kind == b"PLTE":
            palette = [body[i:i + 3] for i in range(0, size, 3)]
        elif kind == b"IDAT":
            packed += body
        at += 12 + size
    assert depth == 8 and not interlaced
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    raw, rows, above = zlib.decompress(packed), [], bytes(width * channels)
    for y in range(height):
        start = y * (width * channels + 1)
        above = unfilter(raw[start], raw[start + 1:start + 1 + width * channels], above, channels)
        rows.append(b"".join(palette[i] for i in above) if palette else above)
    return rows, 3 if palette else channels


def unfilter(kind, line, above, step):
    if kind == 0:
        return line
    if kind == 2:
        return bytes((x + b) & 255 for x, b in zip(line, above))
    out, above = bytearray(step) + line, bytes(step) + above  # nothing is left of the first pixel
    for i in range(step, len(out)):
        a, b, c = out[i - step], above[i], above[i - step]
        if kind == 1:
            guess = a
        elif kind == 3:
            guess = (a + b) // 2
        else:  # Paeth: the one nearest to a + b - c
            to_a, to_b, to_c = abs(b - c), abs(a - c), abs(a + b - 2 * c)
            guess = a if to_a <= to_b and to_a <= to_c else b if to_b <= to_c else c
        out[i] = (out[i] + guess) & 255
    return bytes(out[step:])


class Pictures(ProgramTest):
    def make(self, name):
        for file, text in FILES.findall((pathlib.Path("docs") / PICTURES[name][0]).read_text()):
            (self.here / file).write_text(text)
        for command in PICTURES[name][1]:
            words = shlex.split(command)
            done = subprocess.run([pathlib.Path(PERCUSS).resolve(), *words[1:]], cwd=self.here,
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, DONE, done.stderr)
        return self.here / words[-1]

    def test_every_picture_is_on_a_page_with_its_commands(self):
        self.assertEqual({path.name for path in IMAGES.iterdir() if path.is_file()}, set(PICTURES))
        for name, (page, commands) in PICTURES.items():
            text = re.sub(r"\\\n\s*", "", (pathlib.Path("docs") / page).read_text())  # lines that go on
            for piece in (f"images/{name}", *commands):
                self.assertIn(piece, text)

    def test_films_are_current(self):
        for path in IMAGES.glob("*.svg"):
            made, kept = self.make(path.name).read_text(), path.read_text()
            self.assertEqual(NUMBER.sub("0", made), NUMBER.sub("0", kept), path.name)
            worst = max(abs(float(a) - float(b)) for a, b in
                        zip(NUMBER.findall(made), NUMBER.findall(kept)))
            self.assertLessEqual(worst, PIXEL_NOISE, path.name)

    def test_figures_are_current(self):
        for path in IMAGES.glob("*.png"):
            (made, step), (kept, kept_step) = pixels(self.make(path.name)), pixels(path)
            self.assertEqual((len(made), len(made[0]), step), (len(kept), len(kept[0]), kept_step))
            total, worst = 0, 0
            for top in range(0, len(made), 40):
                for left in range(0, len(made[0]), 40 * step):
                    here = count = 0
                    for a, b in zip(made[top:top + 40], kept[top:top + 40]):
                        a, b = a[left:left + 40 * step], b[left:left + 40 * step]
                        here += 0 if a == b else sum(abs(x - y) for x, y in zip(a, b))
                        count += len(a)
                    total += here
                    worst = max(worst, here / count / 255)
            mean = total / len(made) / len(made[0]) / 255
            self.assertLessEqual(mean, COLOUR_NOISE, path.name)
            self.assertLessEqual(worst, AREA_NOISE, path.name)


if __name__ == "__main__":
    unittest.main()
