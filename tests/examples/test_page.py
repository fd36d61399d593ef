"""What the program of a page prints is what the page says: test_page.py PROGRAM PAGE ARGUMENTS..."""
import pathlib
import re
import subprocess
import sys

program, page, *arguments = sys.argv[1:]
said = re.search(r"```text\n(.*?)```", pathlib.Path(page).read_text(), re.S).group(1)
done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60, check=False)
if done.returncode != 0 or done.stdout != said:
    sys.exit(f"exit {done.returncode}: {done.stderr}\nprinted:\n{done.stdout}\nthe page says:\n{said}")
