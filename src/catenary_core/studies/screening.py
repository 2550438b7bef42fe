"""Morris screening and Sobol' indices of SALib: how much each parameter counts.

Samples are drawn in shares of the parameters' ranges, so that numbers, steps and choices are treated alike.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from SALib.analyze import morris as morris_analysis
from SALib.analyze import sobol as sobol_analysis
from SALib.sample import morris as morris_sample
from SALib.sample import sobol as sobol_sample

from catenary_core.studies import variables
from catenary_core.studies.definition import Definition
from catenary_core.studies.searches import SampleChangedError, Vector

SLICE = 1_000
"""Most points of a generation; the whole sample is known from the start."""
_LEVELS = 4


class Screening:
    """One sample, in generations of at most SLICE points."""

    def __init__(self, definition: Definition) -> None:
        self._columns = definition.variables
        self._is_morris = definition.algorithm == "morris"
        self._seed = definition.seed % 2**31 + 1  # SALib takes 0 for no seed
        count = len(self._columns)
        self._salib = {
            "num_vars": count,
            "names": [f"x{index}" for index in range(count)],
            "bounds": [[0.0, 1.0]] * count,
        }
        self._block = count + (1 if self._is_morris else 2)
        """Points of one trajectory, or of one base point with its neighbours."""
        blocks = definition.budget // self._block
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if self._is_morris:
                self._shares = morris_sample.sample(self._salib, blocks, num_levels=_LEVELS, seed=self._seed)
            else:
                self._shares = sobol_sample.sample(
                    self._salib, 2 ** math.floor(math.log2(blocks)), calc_second_order=False, seed=self._seed
                )
        self._at = 0
        self._asked: list[list[float]] = []

    def ask(self) -> list[list[float]]:
        """Return the vectors of the next generation; none behind the last one."""
        shares = self._shares[self._at : self._at + SLICE]
        self._at += len(shares)
        self._asked = [variables.of_shares(self._columns, row) for row in shares.tolist()]
        return self._asked

    def tell(self, vectors: Sequence[Vector], objectives: Sequence[Vector], violations: Sequence[Vector]) -> None:
        """Take the results of the generation, which change nothing here.

        Raises:
            SampleChangedError: the vectors are others than those of the sample, over which the indices are computed.
        """
        if [list(vector) for vector in vectors] != self._asked:
            raise SampleChangedError

    def indices(self, values: Sequence[float | None]) -> dict[str, Any]:
        """Return the indices of one objective.

        A trajectory, or a base point with its neighbours, that lacks a value is left out.

        Args:
            values: value of the objective at each point of the sample, in its order; None where there is none.

        Returns:
            `used` and `left_out`: numbers of blocks; `parameters`: by name `mu_star`, `mu_star_confidence` and `sigma`,
            or `s1`, `s1_confidence`, `st` and `st_confidence`; null where the values don't differ or are too few.
        """
        rows = np.array([math.nan if value is None else value for value in values], dtype=float)
        rows = np.concatenate([rows, np.full(len(self._shares) - len(rows), math.nan)])
        whole = np.isfinite(rows.reshape(-1, self._block)).all(axis=1)
        kept = np.repeat(whole, self._block)
        found = self._analysed(rows[kept], self._shares[kept], int(whole.sum()))
        names = [variable.name for variable in self._columns]
        return {
            "used": int(whole.sum()),
            "left_out": int((~whole).sum()),
            "parameters": {
                name: {key: _finite(column[index]) for key, column in found.items()} for index, name in enumerate(names)
            },
        }

    def _analysed(self, rows: Any, shares: Any, blocks: int) -> Mapping[str, Any]:
        keys = (
            {"mu_star": "mu_star", "mu_star_confidence": "mu_star_conf", "sigma": "sigma"}
            if self._is_morris
            else {"s1": "S1", "s1_confidence": "S1_conf", "st": "ST", "st_confidence": "ST_conf"}
        )
        if blocks < 2 or not np.ptp(rows) > 0:
            return dict.fromkeys(keys, [math.nan] * len(self._columns))
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            if self._is_morris:
                found = morris_analysis.analyze(self._salib, shares, rows, num_levels=_LEVELS, seed=self._seed)
            else:
                found = sobol_analysis.analyze(self._salib, rows, calc_second_order=False, seed=self._seed)
        return {key: found[name] for key, name in keys.items()}


def _finite(value: Any) -> float | None:
    return float(value) if math.isfinite(value) else None
