drop table installation.contact_tags_filled;
