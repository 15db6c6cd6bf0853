"""The site of a release: static pages that open from a folder, made once and kept with the release (DESIGN "Safety").

Belongs here: what pages there are, how they are filled and written, and the small server that shows them. Does not
belong here: any rule about scores. What a page says is read from the release's tables, its manifest and its catalog.
"""
