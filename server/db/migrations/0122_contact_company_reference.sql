-- Lets requests read and write contacts while it reads them.
alter table contact validate constraint contact_company;
