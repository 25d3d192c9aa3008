import './view-picker.css'
import { Button, Menu, VisuallyHidden } from '@mantine/core'
import { IconArrowBackUp, IconBookmark, IconBookmarkPlus, IconCheck, IconDeviceFloppy } from '@tabler/icons-react'
import { useMessages } from '../../messages/messages.ts'
import { viewsMessages } from '../../messages/views.ts'
import { useViewChanges, type ViewsProps } from './view-changes.tsx'

/** The views of a list, and the changes to the present one, as a menu: for pages that have tabs already. */
export function ViewPicker<State extends object>(props: ViewsProps<State>) {
  const messages = useMessages(viewsMessages)
  const { list, views, view, isChanged, onOpen } = props
  const { mayWrite, mayChange, isBusy, save, saveAs, items, dialog } = useViewChanges(props)
  const hasUnsaved = isChanged && view !== undefined
  const choices = [{ id: undefined, name: list.words.all }, ...views]
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            className="view-picker"
            variant="default"
            leftSection={<IconBookmark size={16} aria-hidden />}
            rightSection={hasUnsaved && <span className="view-unsaved" title={messages.unsaved} />}
            loading={isBusy}
          >
            <VisuallyHidden>{`${list.words.views}: `}</VisuallyHidden>
            <span className="cut" dir="auto" title={view?.name}>
              {view?.name ?? list.words.all}
            </span>
            {hasUnsaved && <VisuallyHidden>{`. ${messages.unsaved}`}</VisuallyHidden>}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className="view-choices">
          {choices.map(({ id, name }) => (
            <Menu.Item
              key={id ?? ''}
              className="wrap"
              aria-current={id === view?.id ? 'page' : undefined}
              rightSection={id === view?.id && <IconCheck size={16} aria-hidden />}
              onClick={() => onOpen(id)}
            >
              {name}
            </Menu.Item>
          ))}
          {(mayWrite || hasUnsaved) && <Menu.Divider />}
          {hasUnsaved && mayChange && (
            <Menu.Item leftSection={<IconDeviceFloppy size={16} aria-hidden />} onClick={save}>
              {messages.save}
            </Menu.Item>
          )}
          {mayWrite && (
            <Menu.Item leftSection={<IconBookmarkPlus size={16} aria-hidden />} onClick={saveAs}>
              {messages.saveAs}
            </Menu.Item>
          )}
          {hasUnsaved && (
            <Menu.Item leftSection={<IconArrowBackUp size={16} aria-hidden />} onClick={() => onOpen(view.id)}>
              {messages.reset}
            </Menu.Item>
          )}
          {items !== false && <Menu.Divider />}
          {items}
        </Menu.Dropdown>
      </Menu>
      {dialog}
    </>
  )
}
