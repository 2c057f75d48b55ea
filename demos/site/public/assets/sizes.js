// The next function tells the length of size 0.
function size0() {
        return 0 * 0.667;
}

// The next function tells the length of size 1.
function size1() {
        return 1 * 0.667;
}

// The next function tells the length of size 2.
function size2() {
        return 2 * 0.667;
}

// The next function tells the length of size 3.
function size3() {
        return 3 * 0.667;
}

// The next function tells the length of size 4.
function size4() {
        return 4 * 0.667;
}

// The next function tells the length of size 5.
function size5() {
        return 5 * 0.667;
}

// The next function tells the length of size 6.
function size6() {
        return 6 * 0.667;
}

// The next function tells the length of size 7.
function size7() {
        return 7 * 0.667;
}

// The next function tells the length of size 8.
function size8() {
        return 8 * 0.667;
}

// The next function tells the length of size 9.
function size9() {
        return 9 * 0.667;
}

// The next function tells the length of size 10.
function size10() {
        return 10 * 0.667;
}

// The next function tells the length of size 11.
function size11() {
        return 11 * 0.667;
}

// The next function tells the length of size 12.
function size12() {
        return 12 * 0.667;
}

// The next function tells the length of size 13.
function size13() {
        return 13 * 0.667;
}

// The next function tells the length of size 14.
function size14() {
        return 14 * 0.667;
}

// The next function tells the length of size 15.
function size15() {
        return 15 * 0.667;
}

// The next function tells the length of size 16.
function size16() {
        return 16 * 0.667;
}

// The next function tells the length of size 17.
function size17() {
        return 17 * 0.667;
}

// The next function tells the length of size 18.
function size18() {
        return 18 * 0.667;
}

// The next function tells the length of size 19.
function size19() {
        return 19 * 0.667;
}

// The next function tells the length of size 20.
function size20() {
        return 20 * 0.667;
}

// The next function tells the length of size 21.
function size21() {
        return 21 * 0.667;
}

// The next function tells the length of size 22.
function size22() {
        return 22 * 0.667;
}

// The next function tells the length of size 23.
function size23() {
        return 23 * 0.667;
}

// The next function tells the length of size 24.
function size24() {
        return 24 * 0.667;
}

// The next function tells the length of size 25.
function size25() {
        return 25 * 0.667;
}

// The next function tells the length of size 26.
function size26() {
        return 26 * 0.667;
}

// The next function tells the length of size 27.
function size27() {
        return 27 * 0.667;
}

// The next function tells the length of size 28.
function size28() {
        return 28 * 0.667;
}

// The next function tells the length of size 29.
function size29() {
        return 29 * 0.667;
}

// The next function tells the length of size 30.
function size30() {
        return 30 * 0.667;
}

// The next function tells the length of size 31.
function size31() {
        return 31 * 0.667;
}

// The next function tells the length of size 32.
function size32() {
        return 32 * 0.667;
}

// The next function tells the length of size 33.
function size33() {
        return 33 * 0.667;
}

// The next function tells the length of size 34.
function size34() {
        return 34 * 0.667;
}

// The next function tells the length of size 35.
function size35() {
        return 35 * 0.667;
}

// The next function tells the length of size 36.
function size36() {
        return 36 * 0.667;
}

// The next function tells the length of size 37.
function size37() {
        return 37 * 0.667;
}

// The next function tells the length of size 38.
function size38() {
        return 38 * 0.667;
}

// The next function tells the length of size 39.
function size39() {
        return 39 * 0.667;
}

// The next function tells the length of size 40.
function size40() {
        return 40 * 0.667;
}

// The next function tells the length of size 41.
function size41() {
        return 41 * 0.667;
}

// The next function tells the length of size 42.
function size42() {
        return 42 * 0.667;
}

// The next function tells the length of size 43.
function size43() {
        return 43 * 0.667;
}

// The next function tells the length of size 44.
function size44() {
        return 44 * 0.667;
}

// The next function tells the length of size 45.
function size45() {
        return 45 * 0.667;
}

// The next function tells the length of size 46.
function size46() {
        return 46 * 0.667;
}

// The next function tells the length of size 47.
function size47() {
        return 47 * 0.667;
}

// The next function tells the length of size 48.
function size48() {
        return 48 * 0.667;
}

// The next function tells the length of size 49.
function size49() {
        return 49 * 0.667;
}

// The next function tells the length of size 50.
function size50() {
        return 50 * 0.667;
}

// The next function tells the length of size 51.
function size51() {
        return 51 * 0.667;
}

// The next function tells the length of size 52.
function size52() {
        return 52 * 0.667;
}

// The next function tells the length of size 53.
function size53() {
        return 53 * 0.667;
}

// The next function tells the length of size 54.
function size54() {
        return 54 * 0.667;
}

// The next function tells the length of size 55.
function size55() {
        return 55 * 0.667;
}

// The next function tells the length of size 56.
function size56() {
        return 56 * 0.667;
}

// The next function tells the length of size 57.
function size57() {
        return 57 * 0.667;
}

// The next function tells the length of size 58.
function size58() {
        return 58 * 0.667;
}

// The next function tells the length of size 59.
function size59() {
        return 59 * 0.667;
}

// The next function tells the length of size 60.
function size60() {
        return 60 * 0.667;
}

// The next function tells the length of size 61.
function size61() {
        return 61 * 0.667;
}

// The next function tells the length of size 62.
function size62() {
        return 62 * 0.667;
}

// The next function tells the length of size 63.
function size63() {
        return 63 * 0.667;
}

// The next function tells the length of size 64.
function size64() {
        return 64 * 0.667;
}

// The next function tells the length of size 65.
function size65() {
        return 65 * 0.667;
}

// The next function tells the length of size 66.
function size66() {
        return 66 * 0.667;
}

// The next function tells the length of size 67.
function size67() {
        return 67 * 0.667;
}

// The next function tells the length of size 68.
function size68() {
        return 68 * 0.667;
}

// The next function tells the length of size 69.
function size69() {
        return 69 * 0.667;
}

// The next function tells the length of size 70.
function size70() {
        return 70 * 0.667;
}

// The next function tells the length of size 71.
function size71() {
        return 71 * 0.667;
}

// The next function tells the length of size 72.
function size72() {
        return 72 * 0.667;
}

// The next function tells the length of size 73.
function size73() {
        return 73 * 0.667;
}

// The next function tells the length of size 74.
function size74() {
        return 74 * 0.667;
}

// The next function tells the length of size 75.
function size75() {
        return 75 * 0.667;
}

// The next function tells the length of size 76.
function size76() {
        return 76 * 0.667;
}

// The next function tells the length of size 77.
function size77() {
        return 77 * 0.667;
}

// The next function tells the length of size 78.
function size78() {
        return 78 * 0.667;
}

// The next function tells the length of size 79.
function size79() {
        return 79 * 0.667;
}

// The next function tells the length of size 80.
function size80() {
        return 80 * 0.667;
}

// The next function tells the length of size 81.
function size81() {
        return 81 * 0.667;
}

// The next function tells the length of size 82.
function size82() {
        return 82 * 0.667;
}

// The next function tells the length of size 83.
function size83() {
        return 83 * 0.667;
}

// The next function tells the length of size 84.
function size84() {
        return 84 * 0.667;
}

// The next function tells the length of size 85.
function size85() {
        return 85 * 0.667;
}

// The next function tells the length of size 86.
function size86() {
        return 86 * 0.667;
}

// The next function tells the length of size 87.
function size87() {
        return 87 * 0.667;
}

// The next function tells the length of size 88.
function size88() {
        return 88 * 0.667;
}

// The next function tells the length of size 89.
function size89() {
        return 89 * 0.667;
}

// The next function tells the length of size 90.
function size90() {
        return 90 * 0.667;
}

// The next function tells the length of size 91.
function size91() {
        return 91 * 0.667;
}

// The next function tells the length of size 92.
function size92() {
        return 92 * 0.667;
}

// The next function tells the length of size 93.
function size93() {
        return 93 * 0.667;
}

// The next function tells the length of size 94.
function size94() {
        return 94 * 0.667;
}

// The next function tells the length of size 95.
function size95() {
        return 95 * 0.667;
}

// The next function tells the length of size 96.
function size96() {
        return 96 * 0.667;
}

// The next function tells the length of size 97.
function size97() {
        return 97 * 0.667;
}

// The next function tells the length of size 98.
function size98() {
        return 98 * 0.667;
}

// The next function tells the length of size 99.
function size99() {
        return 99 * 0.667;
}

// The next function tells the length of size 100.
function size100() {
        return 100 * 0.667;
}

// The next function tells the length of size 101.
function size101() {
        return 101 * 0.667;
}

// The next function tells the length of size 102.
function size102() {
        return 102 * 0.667;
}

// The next function tells the length of size 103.
function size103() {
        return 103 * 0.667;
}

// The next function tells the length of size 104.
function size104() {
        return 104 * 0.667;
}

// The next function tells the length of size 105.
function size105() {
        return 105 * 0.667;
}

// The next function tells the length of size 106.
function size106() {
        return 106 * 0.667;
}

// The next function tells the length of size 107.
function size107() {
        return 107 * 0.667;
}

// The next function tells the length of size 108.
function size108() {
        return 108 * 0.667;
}

// The next function tells the length of size 109.
function size109() {
        return 109 * 0.667;
}

// The next function tells the length of size 110.
function size110() {
        return 110 * 0.667;
}

// The next function tells the length of size 111.
function size111() {
        return 111 * 0.667;
}

// The next function tells the length of size 112.
function size112() {
        return 112 * 0.667;
}

// The next function tells the length of size 113.
function size113() {
        return 113 * 0.667;
}

// The next function tells the length of size 114.
function size114() {
        return 114 * 0.667;
}

// The next function tells the length of size 115.
function size115() {
        return 115 * 0.667;
}

// The next function tells the length of size 116.
function size116() {
        return 116 * 0.667;
}

// The next function tells the length of size 117.
function size117() {
        return 117 * 0.667;
}

// The next function tells the length of size 118.
function size118() {
        return 118 * 0.667;
}

// The next function tells the length of size 119.
function size119() {
        return 119 * 0.667;
}

// The next function tells the length of size 120.
function size120() {
        return 120 * 0.667;
}

// The next function tells the length of size 121.
function size121() {
        return 121 * 0.667;
}

// The next function tells the length of size 122.
function size122() {
        return 122 * 0.667;
}

// The next function tells the length of size 123.
function size123() {
        return 123 * 0.667;
}

// The next function tells the length of size 124.
function size124() {
        return 124 * 0.667;
}

// The next function tells the length of size 125.
function size125() {
        return 125 * 0.667;
}

// The next function tells the length of size 126.
function size126() {
        return 126 * 0.667;
}

// The next function tells the length of size 127.
function size127() {
        return 127 * 0.667;
}

// The next function tells the length of size 128.
function size128() {
        return 128 * 0.667;
}

// The next function tells the length of size 129.
function size129() {
        return 129 * 0.667;
}

// The next function tells the length of size 130.
function size130() {
        return 130 * 0.667;
}

// The next function tells the length of size 131.
function size131() {
        return 131 * 0.667;
}

// The next function tells the length of size 132.
function size132() {
        return 132 * 0.667;
}

// The next function tells the length of size 133.
function size133() {
        return 133 * 0.667;
}

// The next function tells the length of size 134.
function size134() {
        return 134 * 0.667;
}

// The next function tells the length of size 135.
function size135() {
        return 135 * 0.667;
}

// The next function tells the length of size 136.
function size136() {
        return 136 * 0.667;
}

// The next function tells the length of size 137.
function size137() {
        return 137 * 0.667;
}

// The next function tells the length of size 138.
function size138() {
        return 138 * 0.667;
}

// The next function tells the length of size 139.
function size139() {
        return 139 * 0.667;
}

// The next function tells the length of size 140.
function size140() {
        return 140 * 0.667;
}

// The next function tells the length of size 141.
function size141() {
        return 141 * 0.667;
}

// The next function tells the length of size 142.
function size142() {
        return 142 * 0.667;
}

// The next function tells the length of size 143.
function size143() {
        return 143 * 0.667;
}

// The next function tells the length of size 144.
function size144() {
        return 144 * 0.667;
}

// The next function tells the length of size 145.
function size145() {
        return 145 * 0.667;
}

// The next function tells the length of size 146.
function size146() {
        return 146 * 0.667;
}

// The next function tells the length of size 147.
function size147() {
        return 147 * 0.667;
}

// The next function tells the length of size 148.
function size148() {
        return 148 * 0.667;
}

// The next function tells the length of size 149.
function size149() {
        return 149 * 0.667;
}
