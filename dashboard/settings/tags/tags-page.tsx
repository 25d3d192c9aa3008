import type { ContactTag, TagChange } from '@groundwork/api'
import { ConflictError } from '@groundwork/sdk'
import { Button, Menu, NativeSelect, Text, TextInput } from '@mantine/core'
import { IconTags } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { number } from '../../lib/formats.ts'
import { pagesOf, rowsOf } from '../../lib/pages.ts'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import { sharedMessages } from '../../messages/shared.ts'
import { isolated, useMessages } from '../../messages/messages.ts'
import { useChange } from '../../shell/change.ts'
import { useConfirm } from '../../shell/confirm.tsx'
import type { Column } from '../../shell/data-table.tsx'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { sentBy, useForm } from '../../shell/form.ts'
import { Page } from '../../shell/page.tsx'
import { PagedTable } from '../../shell/paged-table.tsx'
import { RowMenu } from '../../shell/row-menu.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { tagsLabel } from '../label.ts'
import { tagMessages } from './messages.ts'

const tagsKey = ['contact-tags'] as const

/** Returns the keys of queries that a change of tags makes stale: also the contacts. */
const staleAfterChange = (organizationId: string) => [
  [organizationId, ...tagsKey],
  [organizationId, 'contacts'],
]

export function TagsPage() {
  const title = useMessages(tagsLabel)
  const messages = useMessages(tagMessages)
  const { client, organization } = useWorkspace()
  const mayWrite = useMay('contacts:write')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [merging, setMerging] = useState(false)
  // Not in the rows, which are rendered anew when a phone is turned.
  const [renamed, setRenamed] = useState<string>()
  const query = useInfiniteQuery(
    pagesOf([organization.id, ...tagsKey], ({ query: page, signal }) =>
      client.contacts.tags.list({ ...page, limit: 100 }, { signal }).page(),
    ),
  )
  const chosen = query.data === undefined ? [] : rowsOf(query.data).filter(({ name }) => selected.has(name))
  const columns: Column<ContactTag>[] = [
    { key: 'tag', header: messages.columns.tag, cell: ({ name }) => <span className="wrap">{name}</span> },
    { key: 'contacts', header: messages.columns.contacts, cell: ({ contacts }) => number(contacts), align: 'right' },
  ]
  const merge = mayWrite && chosen.length > 1 && <Button onClick={() => setMerging(true)}>{messages.merge(chosen.length)}</Button>
  return (
    <Page guide="contacts" title={title} description={messages.about} actions={merge}>
      <PagedTable
        query={query}
        empty={
          <EmptyState icon={IconTags} title={messages.emptyTitle}>
            {messages.emptyHelp}
          </EmptyState>
        }
        label={title}
        columns={columns}
        idOf={({ name }) => name}
        nameOf={({ name }) => name}
        {...(mayWrite && {
          actions: (tag: ContactTag) => <TagMenu tag={tag} onRename={() => setRenamed(tag.name)} />,
          selection: { selected, onChange: setSelected },
        })}
      />
      {renamed !== undefined && <RenameTag tag={renamed} onClose={() => setRenamed(undefined)} />}
      {merging && (
        <MergeTags
          tags={chosen}
          onClose={() => setMerging(false)}
          onMerged={() => {
            setMerging(false)
            setSelected(new Set())
          }}
        />
      )}
    </Page>
  )
}

/** Says that a change is done, and that further contacts follow. */
const doneWith = (message: string, rest: string) => (change: TagChange) => (change.done ? message : `${message} ${rest}`)

function TagMenu({ tag, onRename }: { tag: ContactTag; onRename: () => void }) {
  const messages = useMessages(tagMessages)
  const { client, organization } = useWorkspace()
  const confirm = useConfirm()
  const remove = useChange(() => client.contacts.tags.delete({ tags: [tag.name] }), {
    invalidates: () => staleAfterChange(organization.id),
    done: doneWith(messages.deleted, messages.rest),
  })
  const ask = async (): Promise<void> => {
    const question = { title: messages.deleteTitle(tag.name), body: messages.deleteBody(tag.contacts), action: messages.delete }
    if (await confirm(question)) remove.mutate()
  }
  return (
    <RowMenu label={messages.menu(tag.name)} busy={remove.isPending}>
      <Menu.Item onClick={onRename}>{messages.rename}</Menu.Item>
      <Menu.Item c="var(--mantine-color-error)" onClick={() => void ask()}>
        {messages.delete}
      </Menu.Item>
    </RowMenu>
  )
}

function RenameTag({ tag, onClose }: { tag: string; onClose: () => void }) {
  const messages = useMessages(tagMessages)
  const { save } = useMessages(sharedMessages)
  const { client, organization } = useWorkspace()
  const form = useForm({ name: tag })
  const change = useChange(({ name }: { name: string }) => client.contacts.tags.rename({ tag, name }), {
    invalidates: () => staleAfterChange(organization.id),
    done: doneWith(messages.renamed, messages.rest),
    notifyFailure: false,
    onDone: onClose,
  })
  return (
    <FormDialog title={messages.rename} onClose={onClose} {...sentBy(form, change)} action={save} fields={['name']}>
      <TextInput
        label={messages.newName}
        maxLength={60}
        {...form.text('name')}
        error={form.errorOf('name') !== undefined && change.error instanceof ConflictError ? messages.taken : form.errorOf('name')}
        data-autofocus
      />
    </FormDialog>
  )
}

function MergeTags({ tags, onClose, onMerged }: { tags: readonly ContactTag[]; onClose: () => void; onMerged: () => void }) {
  const messages = useMessages(tagMessages)
  const { client, organization } = useWorkspace()
  const names = tags.map(({ name }) => name)
  const form = useForm({ into: names[0] ?? '' })
  const change = useChange(({ into }: { into: string }) => client.contacts.tags.merge({ tags: names, into }), {
    invalidates: () => staleAfterChange(organization.id),
    done: doneWith(messages.merged, messages.rest),
    notifyFailure: false,
    onDone: onMerged,
  })
  return (
    <FormDialog title={messages.mergeTitle} onClose={onClose} {...sentBy(form, change)} action={messages.mergeAction} fields={['into']}>
      <Text size="sm" className="wrap">
        {messages.mergeHelp(names.map(isolated).join(', '))}
      </Text>
      <NativeSelect label={messages.into} data={names} {...form.text('into')} data-autofocus />
    </FormDialog>
  )
}
