import { formatAmount } from '@groundwork/api/money'
import { ActionIcon, Button, Checkbox, Group, Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { money } from '../lib/formats.ts'
import { useMessages } from '../messages/messages.ts'
import { emptyItem, type DraftItem } from './draft-item.ts'
import { totalOfLine, type TypedItem } from './totals.ts'
import { proposalMessages } from './messages.ts'

interface ItemsEditorProps {
  items: DraftItem[]
  onChange: (items: DraftItem[]) => void
  /** Returns the error of a field by its API path, such as `items.0.unitPrice`. */
  errorOf: (path: string) => string | undefined
  currency: string
}

const maxLines = 200

export function ItemsEditor({ items, onChange, errorOf, currency }: ItemsEditorProps) {
  const { form: words } = useMessages(proposalMessages)
  return (
    <Stack gap="sm">
      {items.map((item, index) => (
        <Line
          key={item.key}
          item={item}
          index={index}
          errorOf={errorOf}
          currency={currency}
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

interface LineProps {
  item: DraftItem
  index: number
  errorOf: ItemsEditorProps['errorOf']
  currency: string
  onChange: (item: DraftItem) => void
  onRemove: (() => void) | undefined
}

type TextField = Exclude<keyof TypedItem, 'optional'>

function Line({ item, index, errorOf, currency, onChange, onRemove }: LineProps) {
  const { form: words } = useMessages(proposalMessages)
  const total = totalOfLine(item)
  const field = (name: TextField, required = false) => (
    <TextInput
      label={words[name]}
      value={item[name]}
      onChange={(event) => onChange({ ...item, [name]: event.currentTarget.value })}
      error={errorOf(`items.${index}.${name}`)}
      {...(name !== 'description' && { inputMode: 'decimal' as const })}
      required={required}
    />
  )
  return (
    <Paper withBorder p="sm" component="fieldset" aria-label={words.line(index + 1)} m={0} miw={0}>
      <Stack gap="xs">
        {field('description', true)}
        <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="xs">
          {field('quantity', true)}
          {field('unitPrice', true)}
          {field('discount')}
          {field('taxRate')}
        </SimpleGrid>
        {errorOf(`items.${index}`) !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)">
            {errorOf(`items.${index}`)}
          </Text>
        )}
        <Group justify="space-between">
          <Checkbox
            label={words.optional}
            checked={item.optional}
            onChange={(event) => onChange({ ...item, optional: event.currentTarget.checked })}
          />
          <Group gap="xs">
            <Text size="sm">
              {words.lineTotal}: <strong>{total === undefined ? words.incomplete : shownAmount(total, currency)}</strong>
            </Text>
            {onRemove && (
              <ActionIcon size={36} variant="subtle" color="gray" aria-label={words.removeLine(index + 1)} onClick={onRemove}>
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            )}
          </Group>
        </Group>
      </Stack>
    </Paper>
  )
}

/** Formats an amount, without a currency symbol while the currency is unknown. */
export const shownAmount = (value: bigint, currency: string): string =>
  currency === '' ? formatAmount(value) : money(formatAmount(value), currency)
