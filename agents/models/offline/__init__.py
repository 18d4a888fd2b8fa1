"""An analyst without a language model: fixed questions over any table, answered with real Python; knows no network."""
