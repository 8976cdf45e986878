"""Which kind a file is of, by the ending of its name."""

from __future__ import annotations

from host.scan.values import Kind

_ENDINGS: dict[Kind, str] = {
    "archives": "7z bz2 cab deb gz iso lz4 lzma rar rpm tar tgz txz xz z zip zst",
    "code": "c cc cpp cs css go h hpp html java js json jsx kt lua php pl py rb rs sh sql swift toml ts tsx"
    " xml yaml yml",
    "databases": "accdb db db3 dbf frm ibd mdb mdf myd myi ndf sdf sqlite sqlite3 wal",
    "disk images": "dmg img qcow2 qed raw vdi vhd vhdx vmdk",
    "documents": "csv doc docx epub eml ics md mobi mbox msg odp ods odt pages pdf ppt pptx pst rtf tex txt"
    " xls xlsx",
    "music": "aac aif aiff alac ape dsf flac m4a m4b mid mka mp3 ogg opus wav wma wv",
    "pictures": "arw bmp cr2 cr3 dng gif heic heif ico jpeg jpg jxl nef orf png psd raf rw2 svg tif tiff webp"
    " xcf",
    "videos": "3gp avi flv m2ts m4v mkv mov mp4 mpeg mpg mts ogv vob webm wmv",
}
_KINDS = {ending.encode(): kind for kind, endings in _ENDINGS.items() for ending in endings.split()}


def kind_of(name: bytes) -> Kind:
    """By what stands behind the last dot; a name without one, or with one it begins with, is of "others"."""
    stem, _, ending = name.rpartition(b".")
    return _KINDS.get(ending.lower(), "others") if stem else "others"
