import type { Studio } from './studio.mts';

export async function drawExample(_studio: Studio, _files: string[], _name: string) {}
