-- Messages that are withheld because their recipient refuses email stay as rows. Their state is `failed`, as programs of the former
-- version show it; this column has the reason.
alter table mail add withheld text;
