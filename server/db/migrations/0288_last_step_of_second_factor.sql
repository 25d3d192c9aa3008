-- The time step of the last accepted code of the authenticator app (RFC 6238). Codes of this and earlier steps are refused.
alter table identity.two_factor add column last_step bigint;
