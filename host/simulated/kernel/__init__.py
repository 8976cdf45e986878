"""The files below /proc and /sys in which the kernel of a simulated machine counts."""

from host.simulated.kernel.files import SimulatedKernelFiles

__all__ = ["SimulatedKernelFiles"]
