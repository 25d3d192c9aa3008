import './view-bar.css'
import type { Scope } from '@groundwork/api'
import { Button, Checkbox, Group, Menu, Text, TextInput } from '@mantine/core'
import { IconBookmarkPlus, IconPencil, IconTrash, IconUsers, IconUserOff } from '@tabler/icons-react'
import type { QueryKey } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import { sharedMessages } from '../../messages/shared.ts'
import { useMessages } from '../../messages/messages.ts'
import { viewsMessages } from '../../messages/views.ts'
import { useChange } from '../change.ts'
import { useConfirm } from '../confirm.tsx'
import { FormDialog } from '../form-dialog.tsx'
import { useForm } from '../form.ts'
import { notifyError, notifySuccess } from '../notify.tsx'
import { RowMenu } from '../row-menu.tsx'

/** A saved view of any list. */
interface SavedView {
  id: string
  name: string
  shared: boolean
  ownerId: string | null
}

interface Named {
  name: string
  shared: boolean
}

/** The list to which views belong. */
export interface ViewedList<State> {
  to: '/$organization/contacts' | '/$organization/proposals'
  /** The scope for creating and changing views. */
  scope: Scope
  words: {
    /** The tab of the list without a view. */
    all: string
    /** The accessible name of the tabs. */
    views: string
    /** Says that the records stay when a view is deleted. */
    stays: string
  }
  /** The key of the query of the views. */
  queryKey: QueryKey
  create: (view: State & Named) => Promise<SavedView>
  update: (id: string, change: State | Partial<Named>) => Promise<SavedView>
  delete: (id: string) => Promise<void>
  shownError: (error: unknown) => unknown
}

interface ViewBarProps<State> {
  list: ViewedList<State>
  views: readonly SavedView[]
  view: SavedView | undefined
  /** What the page shows, as fields of a view. */
  state: State
  /** Whether the page shows something else than the view, or than all records. */
  isChanged: boolean
  /** Opens a view; undefined opens the list without one. */
  onOpen: (id: string | undefined) => void
  /** Shown beside the tabs. */
  children?: ReactNode
}

type Asked = 'new' | 'name' | undefined

/** The views of a list as tabs, and the changes to the present one. */
export function ViewBar<State extends object>({ list, views, view, state, isChanged, onOpen, children }: ViewBarProps<State>) {
  const messages = useMessages(viewsMessages)
  const mayWrite = useMay(list.scope)
  const mayChange = useMayChange(list.scope, view)
  const [asked, ask] = useState<Asked>()
  const save = useSaveView(list)
  return (
    <>
      <div className="view-bar">
        <nav className="tab-links" aria-label={list.words.views}>
          <ViewLink to={list.to} id={undefined} isCurrent={view === undefined}>
            {list.words.all}
          </ViewLink>
          {views.map(({ id, name }) => (
            <ViewLink key={id} to={list.to} id={id} isCurrent={id === view?.id}>
              {name}
            </ViewLink>
          ))}
        </nav>
        {view !== undefined && mayChange && (
          <ViewMenu key={view.id} list={list} view={view} onRename={() => ask('name')} onDeleted={() => onOpen(undefined)} />
        )}
        {children}
        {isChanged && (view !== undefined || mayWrite) && (
          <Group gap="xs" role="group" aria-label={messages.unsaved}>
            {view !== undefined && (
              <Text size="sm" c="dimmed">
                {messages.unsaved}
              </Text>
            )}
            {view !== undefined && mayChange && (
              <Button
                size="compact-sm"
                mih={32}
                loading={save.isPending}
                onClick={() => save.mutate(() => list.update(view.id, state), { onSuccess: ({ id }) => onOpen(id) })}
              >
                {messages.save}
              </Button>
            )}
            {mayWrite && (
              <Button
                size="compact-sm"
                mih={32}
                variant="default"
                leftSection={<IconBookmarkPlus size={14} aria-hidden />}
                onClick={() => ask('new')}
              >
                {messages.saveAs}
              </Button>
            )}
            <Button size="compact-sm" mih={32} variant="subtle" onClick={() => onOpen(view?.id)}>
              {messages.reset}
            </Button>
          </Group>
        )}
      </div>
      {asked === 'new' && (
        <NameDialog
          title={messages.newTitle}
          name=""
          onClose={() => ask(undefined)}
          onSubmit={(name, shared) => save.mutateAsync(() => list.create({ ...state, name, shared }))}
          onSaved={onOpen}
        />
      )}
      {asked === 'name' && view !== undefined && (
        <NameDialog
          title={messages.rename}
          name={view.name}
          onClose={() => ask(undefined)}
          onSubmit={(name) => save.mutateAsync(() => list.update(view.id, { name }))}
        />
      )}
    </>
  )
}

/** Returns whether the user may change the view: its owner, and for shared views owners, admins, and all members if it has no owner. */
function useMayChange(scope: Scope, view: SavedView | undefined): boolean {
  const { user, organization } = useWorkspace()
  const mayWrite = useMay(scope)
  if (view === undefined || !mayWrite) return false
  return view.ownerId === null || view.ownerId === user.id || organization.role === 'owner' || organization.role === 'admin'
}

/** A change that creates or updates a view. */
function useSaveView({ queryKey, shownError }: Pick<ViewedList<object>, 'queryKey' | 'shownError'>) {
  const messages = useMessages(viewsMessages)
  return useChange(
    async (send: () => Promise<SavedView>) => {
      try {
        return await send()
      } catch (error) {
        throw shownError(error)
      }
    },
    { invalidates: () => [queryKey], done: ({ name }) => messages.saved(name) },
  )
}

const intoView = (link: HTMLElement | null): void => link?.scrollIntoView({ block: 'nearest', inline: 'nearest' })

interface ViewLinkProps {
  to: ViewedList<object>['to']
  id: string | undefined
  isCurrent: boolean
  children: string
}

function ViewLink({ to, id, isCurrent, children }: ViewLinkProps) {
  const { organization } = useWorkspace()
  return (
    <Link
      to={to}
      params={{ organization: organization.slug }}
      search={id === undefined ? {} : { view: id }}
      title={children}
      ref={isCurrent ? intoView : undefined}
      // The router marks a link as current by its path alone, unless it compares all search parameters.
      activeOptions={{ exact: true, includeSearch: true }}
      {...(isCurrent ? { 'aria-current': 'page' as const } : { 'aria-current': undefined })}
    >
      {children}
    </Link>
  )
}

interface ViewMenuProps<State> {
  list: ViewedList<State>
  view: SavedView
  onRename: () => void
  onDeleted: () => void
}

function ViewMenu<State extends object>({ list, view, onRename, onDeleted }: ViewMenuProps<State>) {
  const messages = useMessages(viewsMessages)
  const { user } = useWorkspace()
  const confirm = useConfirm()
  const save = useSaveView(list)
  const remove = useChange(() => list.delete(view.id), {
    notifyFailure: false,
    invalidates: () => [list.queryKey],
    onDone() {
      notifySuccess(messages.deleted(view.name))
      onDeleted()
    },
  })
  const share = (shared: boolean): void => save.mutate(() => list.update(view.id, { shared }))
  const askAndDelete = async (): Promise<void> => {
    const body = view.shared ? messages.deletedForAll(list.words.stays) : list.words.stays
    if (await confirm({ title: messages.confirmDelete(view.name), body, action: messages.delete }))
      remove.mutate(undefined, { onError: (error) => notifyError(list.shownError(error)) })
  }
  return (
    <RowMenu label={messages.actionsOf(view.name)} busy={save.isPending || remove.isPending}>
      <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onRename}>
        {messages.rename}
      </Menu.Item>
      {!view.shared && (
        <Menu.Item leftSection={<IconUsers size={16} aria-hidden />} onClick={() => share(true)}>
          {messages.publish}
        </Menu.Item>
      )}
      {view.shared && view.ownerId === user.id && (
        <Menu.Item leftSection={<IconUserOff size={16} aria-hidden />} onClick={() => share(false)}>
          {messages.unpublish}
        </Menu.Item>
      )}
      <Menu.Item c="var(--mantine-color-error)" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => void askAndDelete()}>
        {messages.delete}
      </Menu.Item>
    </RowMenu>
  )
}

interface NameDialogProps {
  title: string
  name: string
  onClose: () => void
  onSubmit: (name: string, shared: boolean) => Promise<SavedView>
  onSaved?: (id: string) => void
}

function NameDialog({ title, name: former, onClose, onSubmit, onSaved }: NameDialogProps) {
  const messages = useMessages(viewsMessages)
  const form = useForm({ name: former, shared: false })
  const { name, shared } = form.values
  const { errors } = useMessages(sharedMessages)
  const [isBusy, setBusy] = useState(false)
  const [isRefused, setRefused] = useState(false)
  const submit = async (): Promise<void> => {
    if (name.trim() === '') return setRefused(true)
    form.sending()
    setBusy(true)
    try {
      const { id } = await onSubmit(name.trim(), shared)
      onClose()
      onSaved?.(id)
    } catch (error) {
      // `useChange` has shown the failure.
      form.refuse(error)
      setBusy(false)
    }
  }
  return (
    <FormDialog
      title={title}
      form={form}
      onClose={onClose}
      onSubmit={() => void submit()}
      action={messages.create}
      busy={isBusy}
      error={null}
      fields={[]}
    >
      <TextInput
        label={messages.name}
        {...form.text('name')}
        maxLength={80}
        error={isRefused && name.trim() === '' ? errors.required : undefined}
        data-autofocus
        autoComplete="off"
      />
      {onSaved !== undefined && <Checkbox label={messages.visible} description={messages.visibleHelp} {...form.flag('shared')} />}
    </FormDialog>
  )
}
