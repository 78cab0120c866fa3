#!/usr/bin/env node
import '../src/kubectl/main.ts';
