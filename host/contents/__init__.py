"""What may stand in the files that root's programs read, held to on root's own side of the door.

Whoever renders such a file runs without rights and may be in strange hands; testparm and exportfs find
mistakes, not intentions. So each file has a closed grammar here: the lines that the console itself renders,
with what people may choose in them, and nothing else. Rules for what people choose are here too, and are the
same ones that plans refuse by.
"""
