"""Who called: the procedure of a statement and the source line of a library's call, from symbols and DWARF.

find.py asks, objects.py reads one program or library, debug_lines.py its DWARF, names.py spells procedures.
"""
