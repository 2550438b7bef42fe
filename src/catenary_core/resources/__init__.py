"""Resources of the services: declared rows, lists, pages, cursors and catalogues."""
