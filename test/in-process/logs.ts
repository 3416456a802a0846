import { HookContext } from 'n8n-core';
import type { INodeType, Logger } from 'n8n-workflow';
import { install } from './workflow';

interface LogLine {
	level: string;
	message: string;
}

/** Keeps what is written to n8n's log from now on until the end of the test. */
export function keepLogs(type: INodeType): LogLine[] {
	const { workflow, node, additionalData } = install({ type, parameters: {} });
	const context = new HookContext(workflow, node, additionalData, 'trigger', 'activate');
	const logger: Logger = context.logger;
	const lines: LogLine[] = [];
	for (const level of ['error', 'warn', 'info', 'debug'] as const) {
		jest.spyOn(logger, level).mockImplementation((message: string, metadata: unknown = {}) => {
			lines.push({ level, message: `${message} ${JSON.stringify(metadata)}` });
		});
	}
	return lines;
}
