-- A plan from before many contacts were added compares each of them with each wanted value.
alter function contacts_matching(text, text[]) set plan_cache_mode = 'force_custom_plan';
