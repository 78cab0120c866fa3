import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { type Column, DataTable } from './DataTable.tsx';

interface Row {
  readonly id: number;
}

const columns: readonly Column<Row>[] = [{ id: 'id', title: 'Number', width: '1fr', cell: ({ id }) => `Row ${id}` }];
const rows = Array.from({ length: 1_000 }, (_, id) => ({ id }));

const table = (onSelect: (row: Row) => void) => (
  <DataTable
    label="Numbers"
    columns={columns}
    rows={rows}
    rowKey={({ id }) => id}
    onSelect={onSelect}
    empty="No rows"
  />
);

describe('DataTable', () => {
  it('draws only the rows in view and reports the number of all', () => {
    render(table(() => undefined));
    expect(screen.getByRole('grid', { name: 'Numbers' }).getAttribute('aria-rowcount')).toBe('1001');
    expect(screen.getAllByRole('row').length).toBeLessThan(100);
  });

  it('calls onSelect for a click and for Enter on the active row', async () => {
    const onSelect = vi.fn();
    render(table(onSelect));
    await userEvent.click(screen.getByText('Row 3'));
    screen.getByRole('grid').focus();
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(onSelect.mock.calls).toEqual([[{ id: 3 }], [{ id: 4 }]]);
  });

  it('shows the empty text when there are no rows', () => {
    render(
      <DataTable label="Numbers" columns={columns} rows={[]} rowKey={({ id }: Row) => id} empty={<p>No rows</p>} />,
    );
    expect(screen.getByText('No rows')).toBeDefined();
  });
});
