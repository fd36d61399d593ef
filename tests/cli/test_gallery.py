"""The pictures of the README are what `make gallery` makes, and the README shows all of them."""
import pathlib
import subprocess
import unittest

from program import PERCUSS, ProgramTest
from test_pictures import NUMBER, PIXEL_NOISE

GALLERY = pathlib.Path("docs/images/gallery")


class Gallery(ProgramTest):
    def test_it_is_current(self):
        subprocess.run(["tools/gallery", PERCUSS, self.here], check=True)
        self.assertEqual(self.files(), sorted(path.name for path in GALLERY.iterdir()))
        for name in self.files():
            made, kept = (self.here / name).read_text(), (GALLERY / name).read_text()
            self.assertEqual(NUMBER.sub("0", made), NUMBER.sub("0", kept), name)
            worst = max(abs(float(a) - float(b)) for a, b in zip(NUMBER.findall(made), NUMBER.findall(kept)))
            self.assertLessEqual(worst, PIXEL_NOISE, name)

    def test_the_readme_shows_it(self):
        text = pathlib.Path("README.md").read_text()
        for path in GALLERY.iterdir():
            self.assertIn(str(path), text)


if __name__ == "__main__":
    unittest.main()
