#!/bin/sh
# Builds the documentation: the Fortran reference with FORD, then the guides with Sphinx around it.
. setup/common.sh

rm -rf doc/_build
mkdir -p doc/_build/extra
logged ford "the Fortran reference, with FORD" .venv/bin/ford doc/ford.md
logged ford-offline "its pages without a network" .venv/bin/python setup/offline_pages.py doc/_build/extra/fortran
logged sphinx "the guides, with Sphinx" .venv/bin/sphinx-build -W --keep-going -b html doc doc/_build/html
say "open doc/_build/html/index.html"
