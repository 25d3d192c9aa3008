import type { PoolClient } from 'pg'

/** The last commit with the former migrations. */
const formerCommit = '61d483d'

/** The former migrations with their SHA-256. The squashed ones create the same schema. */
const formerMigrations: Readonly<Record<string, string>> = {
  '0001_platform.sql': '67791bf3c1e765b2dedc15050c43a4fae447cc2ba04b7f0dfd639b9d949790b4',
  '0002_knowledge_index.sql': '2680bd9dc24b630c3a0905443cd65a3dd51034e73658e946ffcfcb37cc5f9b7a',
  '0003_contact_search.sql': '9cfdccfd0bc52aaff972f19c6e3bb8cf18b6942d13b28c53bdddfcc915b00fee',
  '0004_events.sql': '510af8846f6724aa7b33e3e06c8c3fbbe7d1e7ba4b5b74da25d67e716c29e72f',
  '0005_tokens.sql': 'ccdbf0a81e63bdd34fd1379a6ad8951079fe2f45654eebec8f74f18a615dbed6',
  '0006_idempotency.sql': '4981bed6029ff13365eda991d47973a55af0f5b71f2d94699ffceb2f13410839',
  '0007_webhooks.sql': '5006cb10f762ddbcd9ffb97906500a9ebb8e27dc7f2a108c745ced4511693723',
  '0008_audit.sql': 'a6d97aaa34874867afd316d18d51ce561336ec827bd1d8a226881cd63db7c8e2',
  '0009_rate_limits.sql': '7db8475bec5348bbf97ad94567eb1f59a3d09247f93fa002eb7d29878fee02e2',
  '0010_crawl.sql': '7775e265bcb5d9cf9e72eecc14f1d17de2c39c8d7c30631b6f5ddef87d717a25',
  '0011_video.sql': '127692b50ece903b2313c4f57c5b6bef8f38cbebb54318802cb71db37ad928bd',
  '0012_embedding_reuse.sql': 'a2f6e1795377817ae8cc41c5adf5b86125b2af86051d42ed1874da196c28a08c',
  '0013_documents.sql': 'f8709c5418a38c11cfcad63473886a5aec0ee50fa43e03a8e5bb0e20e495c3f9',
  '0014_source_care.sql': '06aa03f7497397d0b3e35b2485929c25036050da5ca5deb9894ffee6375ea79d',
  '0015_queue_turns.sql': '3de0038e23b46c9e4d090fb0fe826bd30838877726728140610e73d9fed43564',
  '0016_source_progress.sql': '03337ba40cea9d7abca15ab7c7f2745bd97acb75bc74342513ab28fd8fc017c0',
  '0017_page_title.sql': '9be0b685e7b1016c65546db6d031ef3f24d361f0a9c88d096b5c78d07aeb96ea',
  '0018_base_language.sql': '9cb36ef13163434e31ae4facc4e89dda72d0fba4cf62b40324666eb67fa888e1',
  '0019_rendered_pages.sql': '12514e541e377d9a7969994b87f121bb48ca68d96011c7adad3e759b95782e2f',
  '0030_metadata_filter.sql': '1db6d5088f5e6cf14b32ebdd47330545aa6030a8554163ca7b2320f0de2f5c6a',
  '0033_retrieval_log.sql': '34507ed70cc9a1e12f4acb0fa1160e2f005b9f24ee8e95f2db2cc9d5e7b65aec',
  '0034_evaluations.sql': '17ebea094c9c9e62fb62754d7ba8571076d818a07d0c9728cffc354310b147b7',
  '0035_retrieval_scale.sql': '477bbfbbefd7546eb5fa404918a7c9f9466a7c528b87e096323ee3021a745778',
  '0036_written_as.sql': 'bd554529187228c8ddada60fd3b62ff1c12b7483cde7dfca9acde26fc6850a8f',
  '0037_reindex.sql': '5e8af7cbeed41814939db1d245a9501ac118aa8e1a0fc7a7f0650fbe07b7526f',
  '0038_retrieval_writes.sql': '45c696f19e09956addfae6e76082a6a40bd2df14bac20769d91b1c460db7ce3d',
  '0039_reindex_switch.sql': '998f8d31022dfa7c5b98fadff8b50cdaffd8dfa15affdad9cd3c23b1f3d26bc6',
  '0040_identity.sql': '837e88629c6556e4eeff773991108b2b15b8771e29e5eca65b3fc4c6d0d848bf',
  '0041_invitations.sql': '5cc42cb873d811f950a4bee5787999a8c45159cdedd1539ba5c78070c924e5d6',
  '0042_contact_timeline.sql': 'afa43155fd90bc2a31a332bfa1f7cc42722b805349f1ce8c3f9f25c93a021e36',
  '0043_slug_no_key.sql': '4451a5d7ad7609df5cd5b66ef66e1cc977f44550d9d067f835a6bd9203ec3f9a',
  '0045_oidc.sql': '1f517e90b7e9896e648b38c78bd4757e45fae1fc4c4cd5c634e75547cba9d485',
  '0046_token_makers.sql': '5e2e3f9f931b7f64eec90090263a7d508ee470d2952686acc7fbc865f67739a9',
  '0047_mail_roles.sql': 'c6b25853a0b9573d18a0322c65d7149dfca522fc28be7b8d3edf4b3442541600',
  '0055_end_resets.sql': 'decdcee7695fff6fbd041ed2ed358632c93e88a20a9c834614e2905135c8ca96',
  '0060_erased_answers.sql': '9e53f2c1e55badcefa2559bade11ff4560adb23d05b57240fb975870ebee4d65',
  '0061_base_last_change.sql': '8c69b68168be0b37d714efe1f574f6bf4316d7fe3c6b4e6f4f509ec768d7d3da',
  '0062_upload_reach.sql': '53e8b7491b7c3a2bea0f62512f43af4f70f7ec934da59561976e5d78dc4b8189',
  '0063_contact_search.sql': '6618d07b54a2056fce486d2235d227a7eba6b59b8f8d5b09dfa3a786f5770f42',
  '0064_installation.sql': '32627666a5230c8dc316fc0fe1d0147aa5b88e5e85840a8388e29b72e64e6125',
  '0065_standard_names.sql': '5e3918ece07fa7d8836b438852d4d990d0033bcc850437c84d71acf827a17107',
  '0066_event_schema_version.sql': 'b4231bbc8aab2ab25d207ca0d03bd88b7607f4141cc92f2952e683a10f9e3fd8',
}

/** The migrations that replace the former ones, without later migrations. */
const squashedMigrations = [
  '0001_organizations.sql',
  '0002_identity.sql',
  '0003_contacts.sql',
  '0004_knowledge.sql',
  '0005_search_quality.sql',
  '0006_events.sql',
] as const

/** PostgreSQL 18 names not-null constraints. The former migrations renamed this column without its constraint. */
const renameConstraint = `do $$ begin
  if exists (select from pg_constraint where conrelid = 'source'::regclass and conname = 'source_told_stage_not_null') then
    alter table source rename constraint source_told_stage_not_null to source_last_emitted_stage_not_null;
  end if;
end $$`

/**
 * Records the squashed migrations as applied if the database has all former ones, in the transaction of `client`. Does nothing
 * on any other database without former migrations. Rows of the table `migration` without a checksum count as unchanged.
 * @param applied the names of applied migrations with their SHA-256
 * @param available the migrations of this version
 * @throws Error if the database has only some of the former migrations, or one whose file was changed
 */
export async function replaceFormerMigrations(
  client: PoolClient,
  applied: ReadonlyMap<string, string | null>,
  available: readonly { readonly name: string; readonly sha256: string }[],
): Promise<boolean> {
  const former = Object.keys(formerMigrations)
  const present = former.filter((name) => applied.has(name))
  if (present.length === 0) return false
  if (present.length < former.length) {
    throw new Error(
      `The database has migrations only up to ${present.at(-1)}, from before version 0.1.0. ` +
        `Start commit ${formerCommit} of Groundwork on it once, which applies ${former.at(-1)}. Then start this version.`,
    )
  }
  const changed = former.find((name) => (applied.get(name) ?? formerMigrations[name]) !== formerMigrations[name])
  if (changed !== undefined) {
    throw new Error(
      `The database was made with a changed migration ${changed}, so its schema is unknown. Restore a backup from before this change.`,
    )
  }
  await client.query(renameConstraint)
  await client.query('delete from migration where name = any ($1)', [former])
  for (const { name, sha256 } of available) {
    if (!squashedMigrations.some((squashed) => squashed === name)) continue
    await client.query('insert into migration (name, sha256) values ($1, $2)', [name, sha256])
  }
  return true
}
