"""A font of five by seven dots, for pictures that are made with NumPy alone."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

# Each letter is five columns of seven dots; the lowest bit of a column is its top.
_COLUMNS = """
0 3E5149453E 1 00427F4000 2 4261514946 3 2141454B31 4 1814127F10 5 2745454539 6 3C4A494930 7 0171090503
8 3649494936 9 064949291E A 7E1111117E B 7F49494936 C 3E41414122 D 7F4141221C E 7F49494941 F 7F09090901
G 3E4149497A H 7F0808087F I 00417F4100 J 2040413F01 K 7F08142241 L 7F40404040 M 7F020C027F N 7F0408107F
O 3E4141413E P 7F09090906 Q 3E4151215E R 7F09192946 S 4649494931 T 01017F0101 U 3F4040403F V 1F2040201F
W 3F4038403F X 6314081463 Y 0708700807 Z 6151494543 a 2054545478 b 7F48444438 c 3844444420 d 384444487F
e 3854545418 f 087E090102 g 0C5252523E h 7F08040478 i 00447D4000 j 2040443D00 k 7F10284400 l 00417F4000
m 7C04180478 n 7C08040478 o 3844444438 p 7C14141408 q 081414187C r 7C08040408 s 4854545420 t 043F444020
u 3C4040207C v 1C2040201C w 3C4030403C x 4428102844 y 0C5050503C z 4464544C44 - 0808080808 + 08083E0808
. 0060600000 / 2010080402 ? 0201510906 _ 4040404040 # 147F147F14 * 14083E0814 : 0036360000 = 1414141414
"""
_WORDS = _COLUMNS.split()
_LETTERS = {letter: bytes.fromhex(code) for letter, code in zip(_WORDS[::2], _WORDS[1::2], strict=True)}

WIDTH, HEIGHT = 6, 7  # of a letter, with the gap after it


def dots(text: str, scale: int = 1) -> npt.NDArray[np.bool_]:
    """The text as a mask, True where there is ink; letters that the font lacks are left blank."""
    out = np.zeros((HEIGHT, max(1, len(text) * WIDTH - 1)), dtype=np.bool_)
    for i, letter in enumerate(text):
        for j, column in enumerate(_LETTERS.get(letter, b"")):
            out[:, i * WIDTH + j] = [column >> row & 1 for row in range(HEIGHT)]
    return out.repeat(scale, axis=0).repeat(scale, axis=1)
