"""The page of `headrace advise`."""

from headrace.reporters.advised import (
    citation_words,
    expected_words,
    factor_words,
    gain_words,
    predicted_words,
    tried_words,
)
from headrace.reporters.html.page import render_page
from headrace.results.advised import Advised


def render_advised(found: Advised) -> str:
    """The whole page. It needs no network."""
    return render_page(
        "advised.html.j2",
        found=found,
        kept=[item for item in found.items if not item.is_struck],
        struck=[item for item in found.items if item.is_struck],
        citation=citation_words,
        expected=expected_words,
        factor=factor_words,
        gain=gain_words,
        predicted=predicted_words,
        tried=tried_words,
    )
