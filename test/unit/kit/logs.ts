import type { INodeType, Logger } from 'n8n-workflow';
import { hookContextOf } from './hookMethods';

interface LogLine {
	level: string;
	message: string;
}

/** Keeps what is written to n8n's log from now on until the end of the test. */
export function keepLogs(type: INodeType): LogLine[] {
	const logger: Logger = hookContextOf({ type, parameters: {} }).logger;
	const lines: LogLine[] = [];
	for (const level of ['error', 'warn', 'info', 'debug'] as const) {
		jest.spyOn(logger, level).mockImplementation((message: string, metadata: unknown = {}) => {
			lines.push({ level, message: `${message} ${JSON.stringify(metadata)}` });
		});
	}
	return lines;
}

/** The messages of the warnings. */
export const warningsIn = (lines: LogLine[]): string[] =>
	lines.filter(({ level }) => level === 'warn').map(({ message }) => message);
