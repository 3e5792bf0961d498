"""Does a page of the playground hold this very module? usage: holds.py PAGE MODULE"""
import base64
import gzip
import pathlib
import re
import sys

page, module = (pathlib.Path(path).read_bytes() for path in sys.argv[1:])
packed = re.findall(rb"[A-Za-z0-9+/]{10000,}={0,2}", page)
assert module in [gzip.decompress(base64.b64decode(each)) for each in packed], "the page has another module"
assert not re.search(rb"""(?:src|href)\s*=\s*["']?https?:""", page), "the page loads something"
