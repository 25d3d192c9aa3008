-- HMAC of a constant under the secret key before the current one, while values in the database are encrypted under both; null otherwise.
alter table installation.identity add former_secret_key_check bytea;
