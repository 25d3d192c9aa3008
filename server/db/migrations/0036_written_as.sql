-- How the passages were made that the attempt has written so far: one that is taken up under other settings, or by a
-- program with another embedding model, begins its index anew.
alter table source add written_as text;
