import './view-bar.css'
import { Button, Group, Text } from '@mantine/core'
import { IconBookmarkPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWorkspace } from '../../lib/workspace.ts'
import { useMessages } from '../../messages/messages.ts'
import { viewsMessages } from '../../messages/views.ts'
import { RowMenu } from '../row-menu.tsx'
import { useViewChanges, type ViewsProps } from './view-changes.tsx'

interface ViewBarProps<State> extends ViewsProps<State> {
  to: '/$organization/contacts' | '/$organization/proposals'
  /** Shown beside the tabs. */
  children?: ReactNode
}

/** The views of a list as tabs, and the changes to the present one. */
export function ViewBar<State extends object>({ to, children, ...props }: ViewBarProps<State>) {
  const messages = useMessages(viewsMessages)
  const { list, views, view, isChanged, onOpen } = props
  const { mayWrite, mayChange, isBusy, save, saveAs, items, dialog } = useViewChanges(props)
  return (
    <>
      <div className="view-bar">
        <nav className="tab-links" aria-label={list.words.views}>
          <ViewLink to={to} id={undefined} isCurrent={view === undefined}>
            {list.words.all}
          </ViewLink>
          {views.map(({ id, name }) => (
            <ViewLink key={id} to={to} id={id} isCurrent={id === view?.id}>
              {name}
            </ViewLink>
          ))}
        </nav>
        {view !== undefined && mayChange && (
          <RowMenu key={view.id} label={messages.actionsOf(view.name)} busy={isBusy}>
            {items}
          </RowMenu>
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
              <Button size="compact-sm" mih={32} loading={isBusy} onClick={save}>
                {messages.save}
              </Button>
            )}
            {mayWrite && (
              <Button
                size="compact-sm"
                mih={32}
                variant="default"
                leftSection={<IconBookmarkPlus size={14} aria-hidden />}
                onClick={saveAs}
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
      {dialog}
    </>
  )
}

const intoView = (link: HTMLElement | null): void => link?.scrollIntoView({ block: 'nearest', inline: 'nearest' })

interface ViewLinkProps {
  to: ViewBarProps<object>['to']
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
