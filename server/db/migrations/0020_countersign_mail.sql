-- The message that tells the owners of an organization that all signers have signed.

alter table mail drop constraint mail_kind_check;
alter table mail add constraint mail_kind_check
  check (kind in ('invitation', 'sent', 'reminder', 'accepted', 'declined', 'voided', 'expired', 'question', 'answer', 'countersign'));
