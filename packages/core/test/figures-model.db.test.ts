// Risk: for some mixture of rows, types, classes and rates, a figure differs from its rows.
import { testFiguresModel } from './figures-model.ts';

testFiguresModel(400, 10);
