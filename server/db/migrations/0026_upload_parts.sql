-- Id of the write in parts that receives the bytes of an upload; null without parts, and once they are joined.
alter table upload add parts_id text;
