-- What the scores of a search are: those of a reranker are on a scale of their own.
alter table retrieval
  add scored_by text not null default 'hybrid' check (scored_by in ('hybrid', 'vector', 'lexical', 'rerank')),
  add rerank_ms real not null default 0;
