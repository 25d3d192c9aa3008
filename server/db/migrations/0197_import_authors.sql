-- Who started an import, so that members can revert their own. Imports of former versions name nobody.
alter table contact_import add actor_type text, add actor_id uuid;
