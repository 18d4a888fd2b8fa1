"""Language models behind one interface; each vendor's library is imported in one file here."""
