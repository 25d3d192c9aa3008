-- Whether it switches by itself once it is ready, as one does that new settings of the base began.
alter table reindex add switch_when_ready boolean not null default false;
