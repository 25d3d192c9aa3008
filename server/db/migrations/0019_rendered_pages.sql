-- Whether the page's text is what a browser showed, which the site's own word on what has changed says nothing about;
-- and whether a browser may show more than was read, but none did.
alter table source_page add rendered boolean not null default false, add thin boolean not null default false;
