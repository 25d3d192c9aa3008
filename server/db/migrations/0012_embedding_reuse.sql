-- What a vector was made of: a hash over model and text. Equal texts are embedded once a base. Null on rows from before it was kept.
alter table chunk_embedding add embedding_key bytea;
create index chunk_embedding_key on chunk_embedding (organization_id, base_id, embedding_key);

-- Chunks of the attempt whose vectors were there already.
alter table source add progress_reused integer not null default 0;
