-- What is known of the video whose transcript a source is: its id and the wish of who added it, then what was found out.
alter table source add video jsonb;

-- Second of the recording at which a passage of a transcript begins.
alter table chunk add start_second integer;
