-- The language that most of a base is written in, a BCP 47 tag: what texts are taken for that do not tell.
alter table base add language text;
