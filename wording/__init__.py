"""Words for people, in English and Chinese. Every layer may import this package; it imports none of ours."""

from wording.sentence import Language, Sentence, ToldError, preferred_language, say

__all__ = ["Language", "Sentence", "ToldError", "preferred_language", "say"]
