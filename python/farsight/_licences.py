"""The licence of a Python package; also for scripts/licences, so that nothing of this package is imported."""

from __future__ import annotations

from importlib import metadata


def licence_of(about: metadata.PackageMetadata) -> str:
    """In a line, as far as the metadata of a package say."""
    for key in "License-Expression", "License":
        text = str((about.get_all(key) or [""])[0]).strip()
        if text not in ("", "UNKNOWN") and "\n" not in text:
            return text
    kinds = [c for c in about.get_all("Classifier") or [] if c.startswith("License ::")]
    return ", ".join(c.rpartition("::")[2].strip() for c in kinds)
