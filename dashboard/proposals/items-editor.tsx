import { Button, Group, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMessages } from '../messages/messages.ts'
import { emptyItem, type DraftItem } from './draft-item.ts'
import { LineEditor } from './line-editor.tsx'
import { proposalMessages } from './messages.ts'

interface ItemsEditorProps {
  items: DraftItem[]
  onChange: (items: DraftItem[]) => void
  /** Returns the error of a field by its API path, such as `items.0.unitPrice`. */
  errorOf: (path: string) => string | undefined
  currency: string
  pricesIncludeTax: boolean
}

const maxLines = 200

export function ItemsEditor({ items, onChange, errorOf, currency, pricesIncludeTax }: ItemsEditorProps) {
  const { form: words } = useMessages(proposalMessages)
  const groups = [...new Set(items.map(({ group }) => group.trim()))].filter((group) => group !== '')
  return (
    <Stack gap="sm">
      {items.map((item, index) => (
        <LineEditor
          key={item.key}
          item={item}
          index={index}
          groups={groups}
          errorOf={(field) => errorOf(field === undefined ? `items.${index}` : `items.${index}.${field}`)}
          currency={currency}
          pricesIncludeTax={pricesIncludeTax}
          onChange={(changed) => onChange(items.with(index, changed))}
          onRemove={items.length === 1 ? undefined : () => onChange(items.toSpliced(index, 1))}
        />
      ))}
      <Group>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={items.length >= maxLines}
          onClick={() => onChange([...items, emptyItem()])}
        >
          {words.addLine}
        </Button>
      </Group>
    </Stack>
  )
}
