import * as n8nWorkflow from 'n8n-workflow';

/**
 * Loads modules as another process of n8n does: they remember nothing of what those of this process
 * do. Clock, store and n8n itself are shared.
 */
export function inNewProcess<Module>(load: () => Module): Module {
	let loaded: Module;
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => n8nWorkflow);
		loaded = load();
	});
	return loaded!;
}
