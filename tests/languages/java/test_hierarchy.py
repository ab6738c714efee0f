"""What is said of the JDK's types is what the running JDK says of them."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from equimut.languages.java.hierarchy import CLASSES, FINAL, INTERFACES
from oracles import jdk

PROGRAM = """
import java.lang.reflect.Modifier;
import java.util.*;

class Main {
    static void above(Class<?> c, boolean all, Set<String> found) {
        if (c == null) { return; }
        found.add(c.getSimpleName());
        above(c.getSuperclass(), all, found);
        if (all || c.isInterface()) {
            for (Class<?> each : c.getInterfaces()) { above(each, all, found); }
        }
    }

    static Class<?> named(String name) throws Exception {
        for (String place : List.of("java.lang.", "java.util.", "java.io.")) {
            try { return Class.forName(place + name); } catch (ClassNotFoundException e) { }
        }
        throw new Exception(name);
    }

    public static void main(String[] names) throws Exception {
        for (String name : names) {
            Class<?> c = named(name);
            Set<String> all = new TreeSet<>(), classes = new TreeSet<>();
            above(c, true, all);
            above(c, false, classes);
            all.remove(name);
            classes.remove(name);
            boolean last = Modifier.isFinal(c.getModifiers());
            System.out.println(name + " " + c.isInterface() + " " + last + " "
                + String.join(",", all) + " " + String.join(",", classes));
        }
    }
}
"""


@pytest.mark.skipif(shutil.which("java") is None, reason="java is not here")
def test_the_running_jdk_says_the_same(tmp_path: Path) -> None:
    (tmp_path / "Main.java").write_text(PROGRAM)
    names = [*FINAL, *CLASSES, *INTERFACES]
    command = [*jdk.JAVA, str(tmp_path / "Main.java"), *names]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    rows = [line.split(" ") for line in done.stdout.splitlines()]
    assert [row[0] for row in rows] == names
    for name, interface, last, every, classes in rows:
        if name in FINAL:
            assert json.loads(last)
            assert FINAL[name].above == set(every.split(",")), name
        elif name in CLASSES:
            assert not json.loads(interface)
            assert CLASSES[name].above - {"Object"} == set(classes.split(",")) - {"Object", ""}
        else:
            assert json.loads(interface)
            assert INTERFACES[name].above - {"Object"} <= set(every.split(","))
