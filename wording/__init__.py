"""Words for people: sentences with values, in English and Chinese. Every layer may import it; it imports none of ours."""

from wording.sentence import Language, Sentence, ToldError, preferred_language, say

__all__ = ["Language", "Sentence", "ToldError", "preferred_language", "say"]
