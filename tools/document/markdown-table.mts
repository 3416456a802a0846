/** A table as GitHub shows it. */
export const markdownTable = (head: string[], lines: string[][]) =>
	[head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
