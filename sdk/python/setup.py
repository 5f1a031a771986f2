# SPDX-License-Identifier: Apache-2.0
"""Builds a wheel that contains libsinew, its plugins and its configuration.

CMake builds what it builds for everybody, and this script collects it: the package from the build
tree, the library and its plugins from an installation, and the libraries of others that they use.
The extension module uses Python's limited interface: one wheel for Python 3.9 and later.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = ROOT / "build" / "wheel"
VERSION = re.search(r'SN_VERSION "([\d.]+)"', (ROOT / "sdk/include/sinew/abi.h").read_text())[1]
# libraries that every Linux has, and that must be those of the machine
SYSTEM = r"(ld-linux.*|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+))\.so.*"


# plugins that need programs or libraries of the machine: the server of `sinew view --web` (the
# package has one in Python), and MPI, whose libraries must be those of its mpirun
LEFT_OUT = ("web_server.so", "mpi.so")


def run(*command):
    subprocess.run([str(word) for word in command], check=True, stdout=sys.stderr)


def libraries(files):
    """The libraries of others that these files need, as the loader finds them."""
    found = {}
    for file in files:
        listing = subprocess.run(["ldd", str(file)], capture_output=True, text=True, check=True)
        for name, path in re.findall(r"(\S+) => (/\S+)", listing.stdout):
            if not re.fullmatch(SYSTEM, name) and not name.startswith("libsinew"):
                found[name] = path
    return found


DOCUMENTS = pathlib.Path("/usr/share/doc")
COMMON = pathlib.Path("/usr/share/common-licenses")


def three(build):
    """The library of the web page, if CMake has found one."""
    cache = pathlib.Path(build, "CMakeCache.txt").read_text()
    return re.findall(r"^THREE_JS:\w+=(/.*)$", cache, flags=re.M)


def package_of(path):
    """The package of Debian that a file is from; None if there is none."""
    for name in dict.fromkeys([pathlib.Path(path).resolve(), pathlib.Path(path)]):
        try:
            answer = subprocess.run(["dpkg", "-S", str(name)], capture_output=True, text=True)
        except FileNotFoundError:   # not a system with dpkg
            return None
        if answer.returncode == 0:
            return answer.stdout.split(":")[0].split(",")[0]
    return None


def copy_notices(files, folder):
    """Copies the copyright notices of the packages that these files are from, and the licenses that
    they refer to: whoever gets the files must get these too. It is an error if one is missing."""
    folder.mkdir()
    missing = []
    for file in sorted(set(map(str, files))):
        package = package_of(file)
        notice = DOCUMENTS / str(package) / "copyright"
        if package is None or not notice.exists():
            missing.append(file)
            continue
        content = notice.read_text(errors="replace")
        (folder / f"{package}.txt").write_text(content)
        for name in re.findall(rf"{COMMON}/([\w.+-]*[\w+])", content):
            if (COMMON / name).exists():
                shutil.copy((COMMON / name).resolve(), folder / name)
    given = os.environ.get("SINEW_NOTICES")
    if given:
        shutil.copytree(given, folder, dirs_exist_ok=True)
    elif missing:
        raise SystemExit("no copyright notice was found for " + ", ".join(missing) + ": the wheel "
                         "must contain those of the libraries in it; put them into a folder, and "
                         "name it in the environment variable SINEW_NOTICES")


def copy_plugins(installed, folder):
    """Copies the plugins and the configuration of an installation. The lines of plugins that are
    left out are too, each with its comment: others would read of plugins that do not load."""
    shutil.copytree(installed, folder, ignore=shutil.ignore_patterns(*LEFT_OUT))
    config = pathlib.Path(folder, "sinew.ini")
    names = "|".join(re.escape(name) for name in LEFT_OUT)
    line = rf"^(;.*\n)?\w+ *= *(plugins/)?({names})\b.*\n"
    config.write_text(re.sub(line, "", config.read_text(), flags=re.M))


class Build(build_py):
    def run(self):
        build, prefix = BUILD / "cmake", BUILD / "prefix"
        shutil.rmtree(prefix, ignore_errors=True)
        os.umask(0o022)   # what others can write is rejected as a plugin
        old = "-Wl,--disable-new-dtags"   # the path holds for libraries of libraries too
        run("cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF",
            "-DSINEW_LTO=ON", "-DCMAKE_INSTALL_LIBDIR=lib", f"-DSINEW_PYTHON={sys.executable}",
            "-DCMAKE_INSTALL_RPATH=$ORIGIN;$ORIGIN/../..;$ORIGIN/../../..",
            f"-DCMAKE_SHARED_LINKER_FLAGS={old}",
            f"-DCMAKE_MODULE_LINKER_FLAGS={old}")
        run("cmake", "--build", build, "--parallel", os.environ.get("SINEW_JOBS", os.cpu_count()))
        run("cmake", "--install", build, "--prefix", prefix, "--strip")
        package = pathlib.Path(self.build_lib, "sinew")
        shutil.rmtree(package, ignore_errors=True)
        shutil.copytree(build / "python" / "sinew", package,
                        ignore=shutil.ignore_patterns("__pycache__"))
        runtime = package / "_runtime"
        (runtime / "lib").mkdir(parents=True)
        copy_plugins(prefix / "lib" / "sinew", runtime / "lib" / "sinew")
        library = next((prefix / "lib").glob("libsinew.so.*.*"))
        shutil.copy(library, runtime / "lib" / ".".join(library.name.split(".")[:3]))
        module = package / "_native.abi3.so"
        plugins = (runtime / "lib" / "sinew").rglob("*.so")
        others = libraries([library, module, *plugins])
        for name, path in others.items():
            shutil.copy(path, runtime / "lib" / name)
        copy_notices([*others.values(), *three(build)], package / "licenses")
        shutil.copytree(prefix / "share" / "sinew" / "web", runtime / "share" / "sinew" / "web")
        shutil.copy(ROOT / "LICENSE", package / "LICENSE")


class Platform(Distribution):
    def has_ext_modules(self):
        return True


class Wheel(bdist_wheel):
    def get_tag(self):
        return "cp39", "abi3", super().get_tag()[2]


BUILD.mkdir(parents=True, exist_ok=True)
setup(
    name="sinew", version=VERSION, license="Apache-2.0",
    description="Physics engine for articulated bodies with contact, made of plugins",
    packages=["sinew"], python_requires=">=3.9", install_requires=["numpy>=1.19", "cffi>=1.14"],
    entry_points={"gymnasium.envs": ["sinew = sinew._gymnasium:register"]},
    options={"build": {"build_base": str(BUILD / "setuptools")},
             "egg_info": {"egg_base": str(BUILD)}},
    cmdclass={"build_py": Build, "bdist_wheel": Wheel}, distclass=Platform, zip_safe=False)
